// Offers the site's retrieval to an agent in the browser (WebMCP), under both
// names that the API has had. Without the API it does nothing.
(() => {
  const context = document.modelContext ?? navigator.modelContext;
  if (!context) return;
  const tool = {
    name: "search_context",
    description: "Ranks the documentation for a question and packs the best parts into a token budget, with citations.",
    inputSchema: {
      type: "object",
      properties: {
        topic: { type: "string", description: "The question, in the user's words." },
        budget: { type: "integer", minimum: 200, maximum: 8000, default: 2000, description: "Tokens." },
      },
      required: ["topic"],
    },
    async execute({ topic, budget = 2000 }) {
      const query = new URLSearchParams({ topic, budget });
      const answer = await fetch(new URL("../api/context?" + query, script));
      return { content: [{ type: "text", text: await answer.text() }] };
    },
  };
  const script = document.currentScript.src;
  if (context.registerTool) context.registerTool(tool);
  else if (context.provideContext) context.provideContext({ tools: [tool] });
})();
