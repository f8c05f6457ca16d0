import { api, type Body } from '../../../data/api.ts'
import type { Trigger } from '../model/definition.ts'

export type TestResult = Body<'testTrigger'>
/** The result of a run, and the reason if it used the trigger's test input in place of a match. */
export type LatestRun = { result: TestResult; noMatch?: string }

const blocksMax = 1000

/** Runs the published definition on the latest item that matches it, else on its test input. Nothing is sent or stored. */
export async function runOnLatest(trigger: Trigger): Promise<LatestRun> {
  const { fullname, triggerSpec, sourceBindings, providers, transform, outputSchema = null, project } = trigger
  const { activation, conditions } = trigger
  const body = { triggerSpec, sourceBindings, providers, transform, outputSchema, activation, conditions, project }
  const found = await api.findLatestBlock({ body: { trigger: fullname, maxBlocks: blocksMax } })
  if (found.input) return { result: await api.testTrigger({ body: { ...body, input: found.input } }) }
  const noMatch = found.valid
    ? `No item matched in the last ${found.checkedBlocks.toLocaleString('en')} blocks.`
    : found.issues.map(({ message }) => message).join('; ')
  const input = triggerSpec?.testInput
  if (input === undefined) throw new Error(noMatch)
  return { result: await api.testTrigger({ body: { ...body, input } }), noMatch }
}
