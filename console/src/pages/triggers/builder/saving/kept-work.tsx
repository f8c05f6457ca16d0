import { Button, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Notice } from '../../../../components/notice.tsx'
import { ClockTime } from '../../../../components/patterns/clock-time.tsx'
import type { Entity } from '../../../../data/queries.ts'
import type { Trigger } from '../../model/definition.ts'
import { dropWork, keepWork } from '../../model/kept-work.ts'
import { type Builder, type BuilderState, hasUnsavedWork } from '../state/builder-state.ts'

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

/** Says that the builder shows work that was not saved before a reload. */
export function KeptNotice({ at, builder: { state, dispatch } }: { at: string | undefined; builder: Builder }) {
  const [isShown, setShown] = useState(true)
  const [savedBefore] = useState(state.saved)
  const isSaved = state.saved !== savedBefore
  if (at === undefined || !isShown || isSaved) return null
  const discard = () => {
    for (const path of Object.keys(state.invalidTexts)) dispatch({ type: 'invalidText', path, text: undefined })
    dispatch({ type: 'replace', definition: state.saved })
    setShown(false)
  }
  return (
    <Notice tone="info" title="Your unsaved changes are back">
      <Text size="sm">
        This tab kept them at <ClockTime at={at} />. Save the draft to keep them.
      </Text>
      <Button size="xs" variant="default" mt="xs" onClick={discard}>
        Discard these changes
      </Button>
    </Notice>
  )
}
