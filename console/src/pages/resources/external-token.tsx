import { Button, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Section } from '../../components/page.tsx'

/** The token for apps that set the chat themselves. Anyone who has it can redirect alerts, so it is hidden by default. */
export function ExternalToken({ token }: { token: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title="Setup token"
      about="For an app that sets the chat without the Telegram bot. Anyone with this token can change where alerts are sent."
    >
      {isShown && (
        <Text mb="sm">
          <Code>{token}</Code>
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide token' : 'Show token'}
        </Button>
        {isShown && <CopyButton value={token} what="token" />}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Send it only over HTTPS. Never write it to a log or a message.
      </Text>
    </Section>
  )
}
