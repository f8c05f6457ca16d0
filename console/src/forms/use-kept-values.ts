import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { changedFields, dropValues, keepValues, readValues } from './kept-values.ts'
import { type FormState, mergeTyped, takeNewer } from './newer-version.ts'

const debounceMs = 400

export type KeepOptions<Values extends object> = {
  /** Names the form and what it edits, such as “project acme.pay”. */
  name: string
  /** Fields that are never kept: secrets, and addresses that may contain one. */
  leaveOut?: readonly (keyof Values)[]
  /** Nothing is kept, because the user has not changed anything yet. */
  isUntouched?: boolean
}

export type ValuesOptions<Values extends object> = {
  /** With it a reload keeps what was typed. */
  keep?: KeepOptions<Values> | undefined
  /** The ETag of `initial`. With another ETag, `initial` is a newer version, and the form takes it over. */
  version?: string | undefined
}

/** `isEmptied`: the form has its first values again after the save. */
type SaveOptions = { isEmptied?: boolean }

export type KeptValues<Values> = {
  values: Values
  setValues: (change: (before: Values) => Values) => void
  /** True if the values are from before a reload. */
  isBack: boolean
  /** Goes back to the first values. */
  discard: () => void
  /** Runs a save with the ETag to compare. After it the values are not kept any longer; if it fails, they are kept again. */
  runSave: <Saved>(save: (version: string | undefined) => Promise<Saved>, options?: SaveOptions) => Promise<Saved>
}

/** The values of a form. With `keep` a reload does not lose them; leaving the form inside the console drops them. */
export function useKeptValues<Values extends object>(
  initial: Values,
  { keep, version }: ValuesOptions<Values> = {},
): KeptValues<Values> {
  const key = useKey(keep?.name)
  const [kept] = useState(() => (key === undefined ? undefined : readValues(key, initial)))
  const [known, setForm] = useState<FormState<Values>>(() => ({
    ...{ values: kept ?? initial, base: initial, version, seen: version, isSaving: false },
  }))
  const form = known.seen === version ? known : takeNewer(known, initial, version)
  if (form !== known) setForm(form)
  const [isBack, setBack] = useState(kept !== undefined)
  const { values, base, isSaving } = form
  const [settled] = useDebouncedValue(values, debounceMs)
  const drop = () => {
    if (key !== undefined) dropValues(key)
  }
  // A save may have emptied the form since the values settled, so this reads the values of now.
  const store = useEffectEvent(() => {
    // A page may show the saved values in a new form before the save ends. That form must not find them as unsaved.
    if (!keep || key === undefined || keep.isUntouched || isSaving) return
    if (JSON.stringify(values) === JSON.stringify(base)) return drop()
    keepValues(key, changedFields(values, base, keep.leaveOut))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a save, what was typed meanwhile or was refused is kept
  useEffect(() => store(), [settled, isSaving])
  // A reload does not run this; leaving the form inside the console does.
  useEffect(
    () => () => {
      if (key !== undefined) dropValues(key)
    },
    [key],
  )
  const runSave: KeptValues<Values>['runSave'] = async (save, { isEmptied = false } = {}) => {
    // What is typed during the save is a change of what is sent.
    setForm((form) => ({ ...form, base: values, isSaving: true }))
    drop()
    try {
      const saved = await save(form.version)
      if (isEmptied) setForm((form) => ({ ...form, values: mergeTyped(form.values, values, base), base }))
      setBack(false)
      return saved
    } catch (error) {
      setForm((form) => (form.base === values ? { ...form, base } : form))
      throw error
    } finally {
      setForm((form) => ({ ...form, isSaving: false }))
    }
  }
  const discard = () => {
    setForm((form) => ({ ...form, values: form.base }))
    setBack(false)
    drop()
  }
  const setValues = (change: (before: Values) => Values) =>
    setForm((form) => ({ ...form, values: change(form.values) }))
  return { values, setValues, isBack, discard, runSave }
}

/** The path of the page is part of the key: two workspaces may have things of the same name. */
function useKey(name: string | undefined): string | undefined {
  return useMemo(() => (name === undefined ? undefined : `${location.pathname} ${name}`), [name])
}
