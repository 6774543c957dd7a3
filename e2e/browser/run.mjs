// Runs every flow, or those whose names hold an argument.
import { finish, serve, start } from "./harness.mjs";

const groups = ["playground", "reading", "console", "exports", "speed"];
const wanted = process.argv[2] ?? "";
const began = performance.now();
let failed = 0, ran = 0;
await start();
try {
  const own = await serve();
  for (const group of groups) {
    const { flows } = await import(`./${group}.mjs`);
    for (const [name, flow] of Object.entries(flows)) {
      const full = `${group}: ${name}`, from = performance.now();
      if (!full.includes(wanted)) continue;
      ran++;
      try {
        await flow(own);
        console.log(`browser: ok: ${full} (${Math.round(performance.now() - from)} ms)`);
      } catch (e) {
        failed++;
        console.log(`browser: FAILED: ${full}: ${e.message}`);
      }
    }
  }
} finally {
  await finish();
}
console.log(`browser: ${ran} flows, ${failed} failed, ${Math.round((performance.now() - began) / 1000)} s`);
process.exit(failed || !ran ? 1 : 0);
