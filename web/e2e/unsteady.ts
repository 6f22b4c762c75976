/** Says at the end which tests passed only when they were tried again: a second try must not hide a race. */
import type { Reporter } from "vitest/node";

export const unsteady: Reporter = {
  onTestRunEnd(files) {
    const all = files.flatMap((file) => [...file.children.allTests()]);
    const found = all.filter((test) => test.diagnostic()?.flaky);
    if (!found.length) return;
    process.stderr.write(`\n*** ${found.length} OF ${all.length} TESTS PASSED ONLY AT THE SECOND TRY: ***\n`);
    for (const test of found) {
      const why = test.result().errors?.[0]?.message ?? "";
      process.stderr.write(`*** ${test.module.relativeModuleId} > ${test.fullName}: ${why}\n`);
    }
  },
};
