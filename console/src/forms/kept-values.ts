import { isObject } from './json.ts'

/**
 * Unsaved values of a form. They survive a reload and a crash of the tab. They are in the session storage, so that two tabs
 * keep their own values and nothing stays on a shared computer.
 */
const storageKey = (key: string) => `tocsin-form ${key}`

export function keepValues(key: string, values: object): void {
  withStorage((storage) => storage.setItem(storageKey(key), JSON.stringify(values)))
}

export function dropValues(key: string): void {
  withStorage((storage) => storage.removeItem(storageKey(key)))
}

/** Only what the user changed: after the reload the other fields show what somebody else saved meanwhile. */
export function changedFields<Values extends object>(
  values: Values,
  base: Values,
  leftOut: readonly (keyof Values)[] = [],
): Partial<Values> {
  const changed: Partial<Values> = {}
  for (const field in values) {
    if (leftOut.includes(field) || JSON.stringify(values[field]) === JSON.stringify(base[field])) continue
    changed[field] = values[field]
  }
  return changed
}

/** A browser throws if its storage is full or turned off. Forms work without it, and without what is not JSON there. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

/** The kept values in the shape of `initial`. A value of another shape, such as one of an older version, is left out. */
export function readValues<Values extends object>(key: string, initial: Values): Values | undefined {
  const kept = withStorage((storage): unknown => JSON.parse(storage.getItem(storageKey(key)) ?? 'null'))
  if (!isObject(kept)) return undefined
  const read = { ...initial }
  let isRead = false
  for (const field in initial) {
    const value = kept[field]
    if (!(field in kept) || !isLike(value, initial[field])) continue
    read[field] = value
    isRead = true
  }
  return isRead ? read : undefined
}

/** True if the value has the shape of the example. An empty example says nothing about the shape. */
export function isLike<Example>(value: unknown, example: Example): value is Example {
  if (example === undefined || example === null || value === null) return true
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => isLike(each, example[0]))
  if (!isObject(example)) return typeof value === typeof example
  return isObject(value) && Object.keys(example).every((name) => !(name in value) || isLike(value[name], example[name]))
}
