import { splitOutputSchema } from '../base/read-schema.ts'
import { checkOutput } from '../check/output-schema.ts'
import { fail, type Going, type RunnableTrigger } from './run.ts'

/** An output that breaks its own schema is a mistake of the definition, told by path; subscriptions rely on the schema. */
export function checkOutputs(runs: Going[], { outputSchema }: RunnableTrigger): void {
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
