import { splitOutputSchema } from '../base/read-schema.ts'
import { checkOutput } from '../check/output-schema.ts'
import { fail, type OngoingRun, type RunnableTrigger } from './run.ts'

/** Fails a run whose output breaks the trigger's own schema, because subscriptions rely on the schema. */
export function checkOutputs(runs: OngoingRun[], { outputSchema }: RunnableTrigger): void {
  if (!outputSchema) return
  const { raw, human } = splitOutputSchema(outputSchema)
  for (const run of runs) {
    const issues = run.outputs.flatMap((output, index) => {
      const at = run.outputs.length > 1 ? `outputs.${index}` : 'output'
      return [
        ...checkOutput(output.raw, raw, `${at}.raw`),
        ...(human ? checkOutput(output.human, human, `${at}.human`) : []),
      ]
    })
    if (issues.length > 0) fail(run, ...issues)
  }
}
