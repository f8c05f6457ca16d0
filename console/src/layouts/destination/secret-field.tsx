import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { newWebhookSecret } from './webhook-secret.ts'

type SecretFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined }

/** The secret that signs webhooks: made here, or the receiver's own. Hidden unless asked for. */
export function SecretField({ value, onChange, error }: SecretFieldProps) {
  const [made, setMade] = useState<string>()
  const [isShown, setShown] = useState(false)
  const make = () => {
    const secret = newWebhookSecret()
    setMade(secret)
    setShown(true)
    onChange(secret)
  }
  return (
    <Stack gap={6}>
      <PasswordInput
        label="Signing secret"
        description="Signs every request, so that the receiver can check who sent it. If you leave it empty, the service makes one."
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={isShown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide the secret' : 'Show the secret' }}
        error={error}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={make}>
          {value === '' ? 'Generate secret' : 'Generate another secret'}
        </Button>
        {value !== '' && <CopyButton value={value} what="secret" />}
      </Group>
      {made !== undefined && made === value && (
        <Text size="sm">Copy it to the receiver now; it counts once you save here.</Text>
      )}
    </Stack>
  )
}
