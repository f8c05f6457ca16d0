import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'
import classes from './secret-once.module.css'

/** Shows a new secret with a copy button and a warning. The service does not show it again. */
export function SecretOnce({ secret, what, children }: { secret: string; what: string; children?: ReactNode }) {
  return (
    <Notice tone="secret" title={`Copy the ${what} now`}>
      <Stack gap="xs">
        <Text size="sm">It is shown only once. Anyone who has it can act as you, so store it like a password.</Text>
        <code className={classes.secret}>{secret}</code>
        <Group>
          <CopyButton value={secret} what={what} isWide />
        </Group>
        {children}
      </Stack>
    </Notice>
  )
}
