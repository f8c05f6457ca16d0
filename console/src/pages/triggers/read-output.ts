import { isObject } from '../../forms/json.ts'

export type Output = { raw: unknown; human: unknown; count: number }

/** The output of a preview or a test: null when there is nothing to tell, several when a script told several. */
export function readOutput(output: unknown): Output {
  if (!isObject(output)) return { raw: undefined, human: undefined, count: 0 }
  const { raw, human, outputs } = output
  return { raw, human, count: Array.isArray(outputs) ? outputs.length : 1 }
}
