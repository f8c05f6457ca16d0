import { makePauses } from '../base/event-loop-turns.ts'
import { splitOutputSchema } from '../base/read-schema.ts'
import { checkAgainstSchemas } from '../check/output-schema.ts'
import { fail, type OngoingRun, type RunnableTrigger } from './run.ts'

/**
 * Fails a run whose output breaks the trigger's own schema, because subscriptions rely on the schema. An output that costs too
 * much to check fails its run too, and the log of the trigger says so.
 */
export async function checkOutputs(runs: OngoingRun[], { outputSchema }: RunnableTrigger): Promise<void> {
  if (!outputSchema) return
  const { raw, human } = splitOutputSchema(outputSchema)
  const pause = makePauses()
  for (const run of runs) {
    await pause()
    const all = run.outputs.flatMap((output, index) => {
      const at = run.outputs.length > 1 ? `outputs.${index}` : 'output'
      return [
        { value: output.raw, map: raw, path: `${at}.raw` },
        ...(human ? [{ value: output.human, map: human, path: `${at}.human` }] : []),
      ]
    })
    const issues = checkAgainstSchemas(all)
    if (issues.length > 0) fail(run, ...issues)
  }
}
