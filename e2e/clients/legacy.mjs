// Lists the tools and asks one question with the TypeScript client 1.x, which
// speaks the older era. Argument: the URL of the MCP endpoint.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask } from './ask.mjs';

const client = new Client({ name: 'evergreen-oracle', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
await client.connect(transport);
await ask(client, transport.protocolVersion, (version) => version < '2026-07-28');
