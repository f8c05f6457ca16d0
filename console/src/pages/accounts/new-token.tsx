import { Button, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { TokenForm } from './token-form.tsx'

export function NewToken() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [secret, setSecret] = useState<string>()
  const leave = () => {
    setSecret(undefined)
    close()
  }
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={open}>
        Create token
      </Button>
      <Modal opened={isOpen} onClose={leave} title="New access token" closeButtonProps={{ 'aria-label': 'Close' }}>
        {secret === undefined ? (
          <TokenForm done={setSecret} />
        ) : (
          <Stack>
            <SecretOnce secret={secret} what="token" />
            <Button onClick={leave}>Done</Button>
          </Stack>
        )}
      </Modal>
    </>
  )
}
