import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'
import classes from './secret-once.module.css'

/** A secret that the service shows this once: in full, with a copy button, and the warning that it will not come back. */
export function SecretOnce({ secret, what, children }: { secret: string; what: string; children?: ReactNode }) {
  return (
    <Notice tone="secret" title={`Copy the ${what} now`}>
      <Stack gap="xs">
        <Text size="sm">
          It is shown this once only. Anyone with it can act in your name, so keep it like a password.
        </Text>
        <code className={classes.secret}>{secret}</code>
        <Group>
          <CopyButton value={secret} what={what} isWide />
        </Group>
        {children}
      </Stack>
    </Notice>
  )
}
