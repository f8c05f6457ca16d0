import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import classes from './danger-button.module.css'
import { ErrorNotice } from './error-notice.tsx'

type ConfirmActionProps = {
  title: string
  /** What will happen, and whether it can be undone. */
  text: ReactNode
  /** The label of the button that confirms. */
  verb: string
  act: () => Promise<unknown>
  /** The user must type this text first. For deletions that cannot be undone. */
  typed?: string
  /** Renders the button that opens the dialog. */
  children: (open: () => void) => ReactNode
  isDestructive?: boolean
}

/** Asks for confirmation before an action. The dialog also shows the error if the action fails. */
export function ConfirmAction({ title, text, verb, act, typed, children, isDestructive = true }: ConfirmActionProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [word, setWord] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const start = () => {
    setWord('')
    setError(undefined)
    open()
  }
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await act()
      close()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {children(start)}
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {text}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <ErrorNotice error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color={isDestructive ? 'red.9' : undefined}
              loading={isBusy}
              disabled={typed !== undefined && word !== typed}
              onClick={() => void confirm()}
            >
              {verb}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

type DangerButtonProps = Omit<ButtonProps, 'variant' | 'color' | 'className'> & {
  onClick: () => void
  'aria-label'?: string
}

/** A red button for `ConfirmAction`s that delete, remove or revoke something. */
export function DangerButton(props: DangerButtonProps) {
  return <Button variant="default" className={classes.danger} {...props} />
}
