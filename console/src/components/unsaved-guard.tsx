import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { askBeforeLeaving } from './leave-guard.ts'

type Leave = (isLeaving: boolean) => void
type UnsavedGuardProps = {
  isChanged: boolean
  /** Saves the changes. Throws if the save is refused. */
  save: () => Promise<unknown>
  /** The label of the button that saves. */
  verb: string
}

/** Asks before the user leaves unsaved changes by a link, by the browser's buttons or by closing the tab. */
export function UnsavedGuard({ isChanged, save, verb }: UnsavedGuardProps) {
  const [leave, setLeave] = useState<Leave>()
  const question = () => new Promise<boolean>((resolve) => setLeave(() => resolve))
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await question()),
    enableBeforeUnload: true,
    disabled: !isChanged,
  })
  const latest = useEffectEvent(question)
  useEffect(() => {
    if (!isChanged) return undefined
    return askBeforeLeaving(() => latest())
  }, [isChanged])
  const answer: Leave = (isLeaving) => {
    leave?.(isLeaving)
    setLeave(undefined)
  }
  return (
    <Modal
      opened={leave !== undefined}
      onClose={() => answer(false)}
      title="Leave without saving?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Question answer={answer} save={save} verb={verb} />
    </Modal>
  )
}

function Question({ answer, save, verb }: { answer: Leave } & Pick<UnsavedGuardProps, 'save' | 'verb'>) {
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const saveFirst = async () => {
    setSaving(true)
    try {
      await save()
      answer(true)
    } catch (failure) {
      setError(failure)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Stack gap="md">
      <Text size="sm">Your changes are not saved. If you leave, they are lost.</Text>
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => answer(false)}>
          Stay here
        </Button>
        <Button variant="default" onClick={() => answer(true)}>
          Leave without saving
        </Button>
        <Button loading={isSaving} onClick={() => void saveFirst()}>
          {verb}
        </Button>
      </Group>
    </Stack>
  )
}
