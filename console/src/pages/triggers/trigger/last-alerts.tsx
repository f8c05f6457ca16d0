import { Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Section } from '../../../components/page.tsx'
import { RichRows } from '../../../components/patterns/rich-row.tsx'
import { Status } from '../../../components/status.tsx'
import { useApiList } from '../../../data/lists.ts'
import { useSources } from '../../../layouts/address/use-sources.ts'
import { AlertRow } from '../../../layouts/alert/alert-row.tsx'
import { statusOf } from '../../../layouts/alert/alert-status.ts'
import { useTitles } from '../../../layouts/alert/use-titles.ts'

const shown = 6

/** The latest alerts of the trigger, with their outcome and the error of those that failed. */
export function LastAlerts({ workspace, trigger }: { workspace: string; trigger: string }) {
  const { items, error, isLoading, reload } = useApiList(
    'listAlerts',
    { query: { trigger, limit: shown } },
    { pollMs: 15_000 },
  )
  const titles = useTitles(workspace)
  const sources = useSources()
  return (
    <Section
      title="Last alerts"
      actions={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }} search={{ trigger }}>
          All alerts
        </LinkText>
      }
    >
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && <Text c="dimmed">No alerts yet.</Text>}
      <RichRows label="Last alerts">
        {items.slice(0, shown).map((alert) => (
          <AlertRow
            key={alert.id}
            {...{ workspace, alert, titles }}
            source={sources.find(alert.source)}
            state={<Status {...statusOf(alert)} />}
            details={(alert.retryError ?? alert.reason) && <div>{alert.retryError ?? alert.reason}</div>}
          />
        ))}
      </RichRows>
    </Section>
  )
}
