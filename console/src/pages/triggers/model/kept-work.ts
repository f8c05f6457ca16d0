import { TriggerDraftView } from '@tocsin/contract'
import type { Entity } from '../../../data/queries.ts'
import type { InvalidTexts } from '../../../forms/invalid-text.tsx'
import { isObject } from '../../../forms/json.ts'
import type { Definition, Trigger } from './definition.ts'
import { readDefinition } from './read-definition.ts'

/**
 * Unsaved work of one tab. It survives a reload and a crash of the tab. It is in the session storage, so that two tabs
 * keep their own work and nothing stays on a shared computer.
 */
export type KeptWork = {
  at: string
  /** The version that the work began with. A save that finds another one is a conflict. */
  base: Entity<Trigger>
  definition: Definition
  invalidTexts: InvalidTexts
}

const keyOf = (fullname: string) => `tocsin-unsaved ${fullname}`

export function keepWork(work: KeptWork): void {
  try {
    sessionStorage.setItem(keyOf(work.definition.fullname), JSON.stringify(work))
  } catch {
    // The storage is full or off. The browser still asks before the tab is closed.
  }
}

export function dropWork(fullname: string): void {
  sessionStorage.removeItem(keyOf(fullname))
}

export function readWork(fullname: string): KeptWork | undefined {
  const kept = parse(sessionStorage.getItem(keyOf(fullname)))
  if (!isObject(kept) || !isObject(kept.base)) return undefined
  const view = TriggerDraftView.safeParse(kept.base.view)
  const definition = readDefinition(kept.definition)
  if (!view.success || !definition || definition.fullname !== fullname) return undefined
  const tag = typeof kept.base.tag === 'string' ? kept.base.tag : undefined
  return {
    at: typeof kept.at === 'string' ? kept.at : new Date().toISOString(),
    base: { view: view.data, tag },
    definition,
    invalidTexts: readTexts(kept.invalidTexts),
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function readTexts(value: unknown): InvalidTexts {
  const texts: InvalidTexts = {}
  for (const [path, one] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(one)) continue
    const { label, text, problem } = one
    if (typeof label === 'string' && typeof text === 'string' && typeof problem === 'string')
      texts[path] = { label, text, problem }
  }
  return texts
}
