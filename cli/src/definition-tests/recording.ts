/**
 * A recording has what a trigger needs of a block: the items that its triggerSpec matches, and the values that its
 * providers had for each of them. With it a test needs no node. It fits only the triggerSpec and the providers that it was
 * made with, because others might match or read something else.
 */

import { createHash } from 'node:crypto'
import { FreeForm, issuesOf, type TriggerSave } from '@tocsin/contract'
import * as z from 'zod'
import { runBacktest } from '../definition/backtest.ts'
import { backtestBody, testBody } from '../definition/definition-body.ts'
import { Failure } from '../failure.ts'
import { readInside, writeInside } from '../folder/files.ts'
import { isRecord } from '../folder/paths.ts'
import type { Session } from '../server/session.ts'
import type { Seen } from './cases.ts'

const Recording = z.object({
  trigger: z.string(),
  block: z.number().int(),
  madeFor: z.string(),
  items: z.array(z.object({ item: FreeForm, providers: FreeForm })),
})
type Recording = z.output<typeof Recording>

const itemsMax = 100

export function recordingFile(trigger: string, block: number): string {
  return `recordings/${trigger}/${block}.json`
}

/** Runs the trigger without its filters, so that every item that it matches is kept. */
export async function recordBlock(
  session: Session,
  root: string,
  definition: TriggerSave,
  block: number,
): Promise<string> {
  const open = {
    ...definition,
    conditions: null,
    activation: null,
    transform: everything,
    outputSchema: undefined,
    filtersSchema: undefined,
  }
  const body = { ...backtestBody(open, undefined), fromBlock: block, toBlock: block, samples: itemsMax }
  const { valid, issues, result } = await runBacktest(session, body, () => undefined)
  const about = `Block ${block} cannot be recorded for ${definition.fullname}`
  if (!valid || !result) throw new Failure('not_recorded', `${about}.`, issues)
  if (result.failed > 0) throw new Failure('not_recorded', `${about}: ${result.failed} runs failed.`, result.issues)
  if (result.matched > itemsMax)
    throw new Failure(
      'not_recorded',
      `${about}: ${result.matched} items match, and a recording has at most ${itemsMax}.`,
    )
  const items = result.samples.map(({ item, raw }) => ({
    item,
    providers: isRecord(raw) && isRecord(raw.providers) ? raw.providers : {},
  }))
  const file = recordingFile(definition.fullname, block)
  const recording: Recording = { trigger: definition.fullname, block, madeFor: fingerprint(definition), items }
  writeInside(root, file, `${JSON.stringify(recording, null, 2)}\n`)
  return file
}

const everything = { language: 'javascript' as const, source: '({ providers })' }

/** Runs the definition on a recording. The server runs the scripts, but reads no node. */
export async function runOnRecording(
  session: Session,
  root: string,
  definition: TriggerSave,
  block: number,
): Promise<Seen> {
  const recording = readRecording(root, definition, block)
  if (typeof recording === 'string') return { fired: 0, raws: [], problems: [recording] }
  const { triggerSpec: _, ...body } = testBody(definition, undefined)
  const seen: Seen = { fired: 0, raws: [], problems: [] }
  for (const { item, providers } of recording.items) {
    const request = { body: { ...body, input: item, providersData: providers } }
    const { valid, issues, output } = await session.call((client) => client.previewTrigger(request))
    if (!valid) seen.problems.push(...issues.map(issueText))
    const raws = outputsOf(output).map(({ raw }) => raw)
    seen.fired += raws.length
    seen.raws.push(...raws)
  }
  return seen
}

function readRecording(root: string, definition: TriggerSave, block: number): Recording | string {
  const file = recordingFile(definition.fullname, block)
  const read = readInside(root, file)
  if ('problem' in read) return `${file} does not exist: run \`tocsin record\``
  const recording = parseRecording(read.text)
  if (typeof recording === 'string') return `${file} ${recording}: run \`tocsin record\` again`
  return recording.madeFor === fingerprint(definition)
    ? recording
    : `${file} was made for another triggerSpec or other providers: run \`tocsin record\` again`
}

function parseRecording(text: string): Recording | string {
  try {
    const checked = Recording.safeParse(JSON.parse(text))
    return checked.success
      ? checked.data
      : `is not a recording (${issueText(issuesOf(checked.error)[0] ?? { path: '', message: '' })})`
  } catch {
    return 'is not JSON'
  }
}

function fingerprint({ triggerSpec, sourceBindings, providers }: TriggerSave): string {
  const { testInput: _, ...spec } = triggerSpec ?? {}
  return createHash('sha256')
    .update(JSON.stringify([spec, sourceBindings ?? null, providers]))
    .digest('hex')
}

/** A transform may return several outputs for one item. */
function outputsOf(output: unknown): Record<string, unknown>[] {
  if (!isRecord(output)) return []
  return Array.isArray(output.outputs) ? output.outputs.filter(isRecord) : [output]
}

const samplesMax = 100

/** Runs a definition of the folder on a block of the server's source. */
export async function runOnSource(session: Session, definition: TriggerSave, block: number): Promise<Seen> {
  const body = { ...backtestBody(definition, undefined), fromBlock: block, toBlock: block, samples: samplesMax }
  const { valid, issues, result } = await runBacktest(session, body, () => undefined)
  if (!valid || !result) return { fired: 0, raws: [], problems: issues.map(issueText) }
  const failed = result.failed > 0 ? [`${result.failed} runs failed: ${result.issues.map(issueText).join('; ')}`] : []
  return { fired: result.fired, raws: result.samples.map(({ raw }) => raw), problems: failed }
}

function issueText({ path, message }: { path: string; message: string }): string {
  return path === '' ? message : `${path}: ${message}`
}
