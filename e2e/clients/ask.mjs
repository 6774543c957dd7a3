// What both clients do once they are connected; throws when an answer is not
// what it should be.
const query = '幻觉 引用';

export async function ask(client, version, expected) {
  if (!expected(version)) throw new Error(`negotiated ${version}`);
  const { tools } = await client.listTools();
  if (!tools.some((tool) => tool.name === 'search_context')) throw new Error('search_context is not listed');
  const answer = await client.callTool({ name: 'search_context', arguments: { query } });
  const text = answer.content.map((block) => block.text ?? '').join('\n');
  if (answer.isError) throw new Error(`the call failed: ${text}`);
  if (!text.includes(query)) throw new Error(`the answer does not repeat the query: ${text.slice(0, 200)}`);
  console.log(`${version}, ${tools.length} tools, answer of ${text.length} characters`);
  await client.close();
}
