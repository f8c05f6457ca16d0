import type { WindowState } from './window.ts'

/** Names a window. `scope` is the hash of the partition and the inputs that the definition uses. */
export type WindowKey = { trigger: string; provider: string; scope: string }

/**
 * Stores windows between runs. Runs with the same key in one process are serialized. The caller must make sure that only one
 * process works on a trigger at a time.
 */
export type Windows = {
  load(key: WindowKey): Promise<WindowState | undefined>
  save(key: WindowKey, state: WindowState): Promise<void>
}

/** Windows in memory, for tests and previews. They read the real windows and never write them. */
export function copyWindows(real?: Pick<Windows, 'load'>): Windows {
  const changed = new Map<string, WindowState>()
  const keyText = (key: WindowKey) => JSON.stringify([key.trigger, key.provider, key.scope])
  return {
    load: async (key) => changed.get(keyText(key)) ?? (await real?.load(key)),
    save: async (key, state) => void changed.set(keyText(key), state),
  }
}
