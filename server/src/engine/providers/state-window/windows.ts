import type { WindowState } from './window.ts'

/** Which window: one per trigger, provider, and partition with the inputs that the definition depends on. */
export type WindowKey = { trigger: string; provider: string; scope: string }

/**
 * Where windows are kept between runs. Within a process the runs that share a key take turns; that only one process
 * works on a trigger at a time is for the caller to see to.
 */
export type Windows = {
  load(key: WindowKey): Promise<WindowState | undefined>
  save(key: WindowKey, state: WindowState): Promise<void>
}

/** Keeps windows in memory: for tests and previews on top of the real ones, which are read and never written. */
export function copyWindows(real?: Pick<Windows, 'load'>): Windows {
  const kept = new Map<string, WindowState>()
  const nameOf = (key: WindowKey) => JSON.stringify([key.trigger, key.provider, key.scope])
  return {
    load: async (key) => kept.get(nameOf(key)) ?? (await real?.load(key)),
    save: async (key, state) => void kept.set(nameOf(key), state),
  }
}
