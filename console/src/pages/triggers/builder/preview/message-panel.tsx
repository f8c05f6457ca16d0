import { Group, List, Loader, Text, Title } from '@mantine/core'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { ChannelPreview } from '../../../../layouts/message/channels/channel-preview.tsx'
import { fieldOf } from '../state/issue-fields.ts'
import type { MessagePreview } from '../state/use-message-preview.ts'
import classes from './preview-panel.module.css'

/** The message of the draft as each channel shows it, live. */
export function MessagePanel({ preview: { result, error, isBehind } }: { preview: MessagePreview }) {
  return (
    <section className={classes.panel} aria-label="Message preview" aria-busy={isBehind}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>Message</Title>
        {isBehind && result && <Loader size={14} role="status" aria-label="Updating" />}
      </Group>
      <ErrorNotice error={error} />
      {result ? (
        <>
          {result.issues.length > 0 && (
            <List size="sm" mb="xs">
              {result.issues.map(({ path, message }) => (
                <List.Item key={`${path} ${message}`}>
                  {fieldOf(path).label}: {message}
                </List.Item>
              ))}
            </List>
          )}
          <ChannelPreview channels={result.channels} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Get a sample that fires, to see the message as each channel shows it.
        </Text>
      )}
    </section>
  )
}
