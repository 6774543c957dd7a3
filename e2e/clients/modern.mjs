// Lists the tools and asks one question with the TypeScript client 2.x, which
// must agree on the modern era. Argument: the URL of the MCP endpoint.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ask } from './ask.mjs';

const client = new Client({ name: 'evergreen-oracle', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
await ask(client, client.getNegotiatedProtocolVersion(), (version) => version === '2026-07-28');
