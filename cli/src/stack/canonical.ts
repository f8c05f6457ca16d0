import { isDeepStrictEqual } from 'node:util'
import { type DefinitionKind, definitionPayloads, stackLabel } from '@tocsin/contract'
import { isRecord } from '../folder/paths.ts'

type Payload = Record<string, unknown>

/**
 * The fields of a payload or a view that a save has, in canonical form. The server sets the label of the stack and the
 * status of a trigger, so they are no part of a definition.
 */
export function canonicalPayload(kind: DefinitionKind, value: Payload): Payload {
  const checked = definitionPayloads[kind].safeParse(value)
  const { status, ...payload }: Payload = checked.success ? checked.data : value
  const { labels } = payload
  return {
    ...payload,
    ...(isRecord(labels) && { labels: withoutStack(labels) }),
    ...(kind !== 'trigger' && { status }),
  }
}

function withoutStack({ [stackLabel]: _, ...labels }: Payload): Payload {
  return labels
}

/** The payload without fields that mean the same when they are left out: defaults, null, and empty objects and lists. */
export function tidyPayload(kind: DefinitionKind, payload: Payload): Payload {
  const whole = defined(canonicalPayload(kind, payload))
  return Object.keys(whole).reduce((tidy, key) => {
    const { [key]: value, ...less } = tidy
    return isLeftOut(kind, less, isEmpty(value) ? defined(canonicalPayload(kind, less)) : whole) ? less : tidy
  }, whole)
}

function isLeftOut(kind: DefinitionKind, less: Payload, meaning: Payload): boolean {
  return (
    definitionPayloads[kind].safeParse(less).success &&
    isDeepStrictEqual(defined(canonicalPayload(kind, less)), meaning)
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function defined(payload: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
}
