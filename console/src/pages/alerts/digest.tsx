import { List } from '@mantine/core'
import { LinkText } from '../../components/link-text.tsx'
import { Section } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'

const shownMax = 100

/** The alerts of a digest. Their titles come from the list of the subscription's alerts, which may not contain old ones. */
export function Digest({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const { digest: ids = [], subscription } = alert
  const isListed = ids.length > 0 && subscription !== undefined
  const { items } = useApiList(
    'listAlerts',
    { query: { workspace, ...(isListed && { subscription }), status: 'digested', limit: '200' } },
    { enabled: isListed },
  )
  if (ids.length === 0) return null
  const titles = new Map(items.map(({ id, message }) => [id, message.title]))
  return (
    <Section
      title="Alerts in this digest"
      about={`${ids.length === 1 ? '1 alert' : `${ids.length} alerts`} were sent in this message.${ids.length > shownMax ? ` The first ${shownMax}:` : ''}`}
    >
      <List size="sm" type="ordered">
        {ids.slice(0, shownMax).map((id) => (
          <List.Item key={id}>
            <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
              {titles.get(id) ?? <span className="mono">{id}</span>}
            </LinkText>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
