import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../../components/notice.tsx'
import { ClockTime } from '../../../../components/patterns/clock-time.tsx'
import type { Builder } from '../state/builder-state.ts'

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
