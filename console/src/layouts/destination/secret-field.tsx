import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { newWebhookSecret } from './webhook-secret.ts'

type SecretFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined }

/** The secret that signs webhook requests: generated here, or entered by the user. Masked by default. */
export function SecretField({ value, onChange, error }: SecretFieldProps) {
  const [generated, setGenerated] = useState<string>()
  const [isShown, setShown] = useState(false)
  const generate = () => {
    const secret = newWebhookSecret()
    setGenerated(secret)
    setShown(true)
    onChange(secret)
  }
  return (
    <Stack gap={6}>
      <PasswordInput
        label="Signing secret"
        description="Signs every request, so that the receiver can verify the sender. Leave it empty to let the service generate one."
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={isShown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide secret' : 'Show secret' }}
        error={error}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={generate}>
          {value === '' ? 'Generate secret' : 'Generate another secret'}
        </Button>
        {value !== '' && <CopyButton value={value} what="secret" />}
      </Group>
      {generated !== undefined && generated === value && (
        <Text size="sm">Copy the secret to the receiver now. It takes effect when you save.</Text>
      )}
    </Stack>
  )
}
