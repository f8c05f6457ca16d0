import { useDebouncedValue } from '@mantine/hooks'
import { useEffect } from 'react'
import type { Entity } from '../../../../data/queries.ts'
import type { Trigger } from '../../model/definition.ts'
import { dropWork, keepWork } from '../../model/kept-work.ts'
import { type BuilderState, hasUnsavedWork } from './builder-state.ts'

const debounceMs = 400

/** Keeps unsaved work in this tab until it is saved or the user leaves the builder. */
export function useKeptWork(state: BuilderState, base: Entity<Trigger>): void {
  const [kept] = useDebouncedValue(state, debounceMs)
  const { fullname } = state.definition
  useEffect(() => {
    const { definition, invalidTexts } = kept
    if (hasUnsavedWork(kept)) keepWork({ at: new Date().toISOString(), base, definition, invalidTexts })
    else dropWork(fullname)
  }, [kept, base, fullname])
  // A reload does not run this; leaving the builder inside the console does.
  useEffect(() => () => dropWork(fullname), [fullname])
}
