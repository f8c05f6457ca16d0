import { Button, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Section } from '../../components/page.tsx'

/** For apps that set the destination themselves. Whoever holds it decides where alerts go, so it is hidden at first. */
export function ExternalToken({ token }: { token: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title="Setup token"
      about="For an app that sets the destination without Telegram’s bot. Anyone with it decides where the alerts go."
    >
      {isShown && (
        <Text mb="sm">
          <Code>{token}</Code>
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the token' : 'Show the token'}
        </Button>
        {isShown && <CopyButton value={token} what="token" />}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Send it only over HTTPS, and never put it into a log or a message.
      </Text>
    </Section>
  )
}
