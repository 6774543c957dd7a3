// Calls a tool and reads a resource whose names are Chinese with the TypeScript
// client 2.x, which sends them as base64 in a header. Argument: the URL of the
// fixture's endpoint.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'evergreen-oracle', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const answer = await client.callTool({ name: '搜索', arguments: { query: '幻觉' } });
if (!answer.content[0].text.includes('幻觉')) throw new Error(JSON.stringify(answer));
const page = await client.readResource({ uri: 'test://文档/引用' });
if (page.contents[0].text !== '引用') throw new Error(JSON.stringify(page));
console.log(client.getNegotiatedProtocolVersion());
await client.close();
