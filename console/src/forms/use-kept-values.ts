import { useDebouncedValue } from '@mantine/hooks'
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { changedFields, dropValues, keepValues, readValues } from './kept-values.ts'

const debounceMs = 400

export type KeepOptions<Values extends object> = {
  /** Names the form and what it edits, such as “project acme.pay”. */
  name: string
  /** Fields that are never kept: secrets, and addresses that may contain one. */
  leaveOut?: readonly (keyof Values)[]
  /** Nothing is kept, because the user has not changed anything yet. */
  isUntouched?: boolean
}

/** `isEmptied`: the form has its first values again after the save. */
type SaveOptions = { isEmptied?: boolean }

export type KeptValues<Values> = {
  values: Values
  setValues: Dispatch<SetStateAction<Values>>
  /** True if the values are from before a reload. */
  isBack: boolean
  /** Goes back to the first values. */
  discard: () => void
  /** Runs a save. After it the values are not kept any longer; if it fails, they are kept again. */
  runSave: <Saved>(save: () => Promise<Saved>, options?: SaveOptions) => Promise<Saved>
}

/** The values of a form. With `keep` a reload does not lose them; leaving the form inside the console drops them. */
export function useKeptValues<Values extends object>(initial: Values, keep?: KeepOptions<Values>): KeptValues<Values> {
  const key = useKey(keep?.name)
  const [kept] = useState(() => (key === undefined ? undefined : readValues(key, initial)))
  const [values, setValues] = useState(kept ?? initial)
  const [isBack, setBack] = useState(kept !== undefined)
  const base = useRef(initial)
  const isSaving = useRef(false)
  const [settled] = useDebouncedValue(values, debounceMs)
  const drop = () => {
    if (key !== undefined) dropValues(key)
  }
  const store = (next: Values) => {
    if (!keep || key === undefined || keep.isUntouched || isSaving.current) return
    if (JSON.stringify(next) === JSON.stringify(base.current)) return drop()
    keepValues(key, changedFields(next, base.current, keep.leaveOut))
  }
  const storeSettled = useEffectEvent(store)
  useEffect(() => storeSettled(settled), [settled])
  // A reload does not run this; leaving the form inside the console does.
  useEffect(
    () => () => {
      if (key !== undefined) dropValues(key)
    },
    [key],
  )
  const runSave = async <Saved>(save: () => Promise<Saved>, { isEmptied = false }: SaveOptions = {}) => {
    // A page may show the saved values in a new form before the save ends. That form must not find them as unsaved.
    isSaving.current = true
    drop()
    try {
      const saved = await save()
      if (isEmptied) setValues(base.current)
      else base.current = values
      setBack(false)
      return saved
    } catch (error) {
      isSaving.current = false
      store(values)
      throw error
    } finally {
      isSaving.current = false
    }
  }
  const discard = () => {
    setValues(base.current)
    setBack(false)
    drop()
  }
  return { values, setValues, isBack, discard, runSave }
}

/** The path of the page is part of the key: two workspaces may have things of the same name. */
function useKey(name: string | undefined): string | undefined {
  return useMemo(() => (name === undefined ? undefined : `${location.pathname} ${name}`), [name])
}
