import { isObject } from '../base/is-object.ts'
import { fail, type OngoingRun, type Output, type RunContext, type RunnableTrigger } from './run.ts'
import { runScript } from './run-script.ts'

/** Turns the item into outputs: `raw` for machines, `human` for people. Without a transform the item is both. */
export async function transform(runs: OngoingRun[], trigger: RunnableTrigger, context: RunContext): Promise<void> {
  const definition = trigger.transform
  if (!definition) {
    for (const run of runs) run.outputs = [{ raw: run.input.source, human: run.input.source }]
  } else if ('source' in definition && definition.source !== undefined)
    await transformWhole(runs, definition.source, context)
  else await transformParts(runs, definition, context)
}

const scriptContext = ({ input, providers }: OngoingRun) => ({ source: input.source, inputs: input.inputs, providers })

async function transformParts(
  runs: OngoingRun[],
  { rawSource, humanSource }: { rawSource?: string | undefined; humanSource?: string | undefined },
  context: RunContext,
): Promise<void> {
  const raws = rawSource === undefined ? useItems(runs) : await runRaw(runs, rawSource, context)
  for (const { run, value } of raws) {
    if (value === null || value === undefined) run.kind = 'nothing'
    else run.outputs = [{ raw: value, human: value }]
  }
  if (humanSource === undefined) return
  const runsWithOutput = raws.map(({ run }) => run).filter((run) => run.kind === undefined)
  const script = { kind: 'human' as const, source: humanSource, path: 'transform.humanSource' }
  const withRaw = (run: OngoingRun) => ({ ...scriptContext(run), raw: run.outputs[0]?.raw })
  for (const { run, value } of await runScript(runsWithOutput, script, withRaw, context)) {
    run.outputs = [{ raw: run.outputs[0]?.raw, human: value }]
  }
}

function useItems(runs: OngoingRun[]) {
  return runs.map((run) => ({ run, value: run.input.source as unknown }))
}

function runRaw(runs: OngoingRun[], source: string, context: RunContext) {
  return runScript(runs, { kind: 'raw', source, path: 'transform.rawSource' }, scriptContext, context)
}

/** `{outputs: [{raw, human}]}`, `{raw, human}`, or an object that is the raw output. */
async function transformWhole(runs: OngoingRun[], source: string, context: RunContext): Promise<void> {
  const script = { kind: 'source' as const, source, path: 'transform.source' }
  for (const { run, value } of await runScript(runs, script, scriptContext, context)) {
    const outputs = outputsOf(value)
    if (outputs === undefined)
      fail(run, { path: script.path, message: 'must return an object, {raw, human} or {outputs: [{raw, human}]}' })
    else if (outputs.length > context.outputsMax)
      fail(run, { path: script.path, message: tooMany(outputs.length, context.outputsMax) })
    else if (outputs.length === 0) run.kind = 'nothing'
    else run.outputs = outputs
  }
}

/** The whole run fails: alerts for only the first outputs would look complete and would not be. */
function tooMany(count: number, outputsMax: number): string {
  return `returned ${count} outputs for one match; at most ${outputsMax} are allowed`
}

function outputsOf(value: unknown): Output[] | undefined {
  if (value === null || value === undefined) return []
  if (!isObject(value)) return undefined
  if (Array.isArray(value.outputs)) return value.outputs.every(isObject) ? value.outputs.map(outputOf) : undefined
  return [outputOf(value)]
}

function outputOf(value: Record<string, unknown>): Output {
  if (!Object.hasOwn(value, 'raw')) return { raw: value, human: value }
  return { raw: value.raw, human: Object.hasOwn(value, 'human') ? value.human : value.raw }
}
