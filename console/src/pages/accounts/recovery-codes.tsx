import { Stack, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { Notice } from '../../components/notice.tsx'

/** Shows new recovery codes. The service does not show them again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Notice tone="secret" title="Save your recovery codes now">
      <Stack gap="xs">
        <Text size="sm">They are shown only once. Each signs you in once if you lose your device.</Text>
        <Text component="pre" ff="monospace" size="sm" m={0}>
          {codes.join('\n')}
        </Text>
        <div>
          <CopyButton value={codes.join('\n')} what="recovery codes" isWide />
        </div>
      </Stack>
    </Notice>
  )
}
