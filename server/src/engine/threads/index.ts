/** Work of requests that could hold up the main thread runs in threads. What is small is done at once. */
import { type DefinitionKind, type PayloadLimits, weighs } from '@tocsin/contract'
import type { Definition } from '../check/index.ts'
import type { ReadEntity, SentEntity } from '../check/read-entity.ts'
import type { SentBindings, SentMessage, SentParts } from '../check/try-out.ts'
import { startPool } from './pool.ts'
import type { ReadBody, SentBody } from './read-body.ts'
import { type Tasks, tasks } from './tasks.ts'

export { ThreadsBusy, TooExpensive } from './pool.ts'
export { bodyValuesMax } from './read-body.ts'

/** What is smaller takes at most a tenth of a second, whatever its shape, and usually a millisecond. */
const bytesAtOnce = 16 * 1024

const pool = startPool<Tasks>(new URL('./thread.ts', import.meta.url), {
  threadsMax: 2,
  deadlineMs: 10_000,
  memoryMegabytesMax: 384,
  waitingMax: { ofOne: 16, ofAll: 64 },
  callerMsPerMinute: 20_000,
  idleMs: 30_000,
})

/** `caller` is the account, or the address of somebody without one: callers take turns. */
export async function readBodyInTurn(caller: string, sent: SentBody): Promise<ReadBody> {
  return sent.bytes.length > bytesAtOnce ? pool.run(caller, 'readBody', sent) : tasks.readBody(sent)
}

export function checkDefinitionInTurn(caller: string, definition: Definition) {
  return inTurn(caller, 'checkDefinition', definition)
}

/** Reads a definition without the checks of what it means. */
export function readStructureInTurn(caller: string, payload: unknown, limits: PayloadLimits) {
  return inTurn(caller, 'readStructure', { payload, limits })
}

export function readDefinitionInTurn(caller: string, payload: unknown, limits: PayloadLimits) {
  return inTurn(caller, 'readDefinition', { payload, limits })
}

/** Reads an entity of a stack without the checks of what it means. */
export function readEntityInTurn<Kind extends DefinitionKind>(
  caller: string,
  entity: SentEntity<Kind>,
  limits: PayloadLimits,
): Promise<ReadEntity<Kind>> {
  return inTurn(caller, 'readEntity', { entity, limits }) as Promise<ReadEntity<Kind>>
}

export function readPartsInTurn(caller: string, parts: SentParts, limits: PayloadLimits) {
  return inTurn(caller, 'readParts', { parts, limits })
}

export function readSpecInTurn(caller: string, spec: unknown) {
  return inTurn(caller, 'readSpec', spec)
}

export function readBindingsInTurn(caller: string, sent: SentBindings) {
  return inTurn(caller, 'readBindings', sent)
}

export function readProviderInTurn(caller: string, provider: unknown, limits: PayloadLimits) {
  return inTurn(caller, 'readProvider', { provider, limits })
}

export function readMessageInTurn(caller: string, sent: SentMessage) {
  return inTurn(caller, 'readMessage', sent)
}

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>

async function inTurn<Name extends keyof Tasks>(caller: string, name: Name, input: Input<Name>): Promise<Result<Name>> {
  if (weighs(input, bytesAtOnce) > bytesAtOnce) return pool.run(caller, name, input)
  const task = tasks[name] as (input: Input<Name>) => Result<Name> | Promise<Result<Name>>
  return task(input)
}
