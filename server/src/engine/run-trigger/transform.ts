import { isObject } from '../base/is-object.ts'
import { fail, type Going, type Output, type RunnableTrigger, type RunWorld } from './run.ts'
import { runScript } from './run-script.ts'

/** The item becomes what is told of it: raw for machines, human for people. Without a transform the item is both. */
export async function transform(runs: Going[], trigger: RunnableTrigger, world: RunWorld): Promise<void> {
  const given = trigger.transform
  if (!given) {
    for (const run of runs) run.outputs = [{ raw: run.input.source, human: run.input.source }]
  } else if ('source' in given && given.source !== undefined) await transformWhole(runs, given.source, world)
  else await transformParts(runs, given, world)
}

const context = ({ input, providers }: Going) => ({ source: input.source, inputs: input.inputs, providers })

async function transformParts(
  runs: Going[],
  { rawSource, humanSource }: { rawSource?: string | undefined; humanSource?: string | undefined },
  world: RunWorld,
): Promise<void> {
  const raws = rawSource === undefined ? itself(runs) : await runRaw(runs, rawSource, world)
  for (const { run, value } of raws) {
    if (value === null || value === undefined) run.kind = 'nothing'
    else run.outputs = [{ raw: value, human: value }]
  }
  if (humanSource === undefined) return
  const telling = raws.map(({ run }) => run).filter((run) => run.kind === undefined)
  const script = { kind: 'human' as const, source: humanSource, path: 'transform.humanSource' }
  const withRaw = (run: Going) => ({ ...context(run), raw: run.outputs[0]?.raw })
  for (const { run, value } of await runScript(telling, script, withRaw, world)) {
    run.outputs = [{ raw: run.outputs[0]?.raw, human: value }]
  }
}

function itself(runs: Going[]) {
  return runs.map((run) => ({ run, value: run.input.source as unknown }))
}

function runRaw(runs: Going[], source: string, world: RunWorld) {
  return runScript(runs, { kind: 'raw', source, path: 'transform.rawSource' }, context, world)
}

/** `{outputs: [{raw, human}]}`, `{raw, human}`, or an object that is the raw output. */
async function transformWhole(runs: Going[], source: string, world: RunWorld): Promise<void> {
  const script = { kind: 'source' as const, source, path: 'transform.source' }
  for (const { run, value } of await runScript(runs, script, context, world)) {
    const outputs = outputsOf(value)
    if (outputs === undefined)
      fail(run, { path: script.path, message: 'must return an object, {raw, human} or {outputs: [{raw, human}]}' })
    else if (outputs.length > world.outputsMax)
      fail(run, { path: script.path, message: tooMany(outputs.length, world.outputsMax) })
    else if (outputs.length === 0) run.kind = 'nothing'
    else run.outputs = outputs
  }
}

/** The run fails as a whole: alerts for the first of them alone would look as if nothing else had happened. */
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
