import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import type { List } from '../../data/lists.ts'
import { StateOf } from './alert-state.tsx'
import { type Alert, statusOf } from './alert-status.ts'
import classes from './feed.module.css'

type FeedProps = { workspace: string; list: List<Alert>; newIds: ReadonlySet<string>; empty: ReactNode }

export function Feed({ workspace, list, newIds, empty }: FeedProps) {
  if (list.error) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading) return <TableSkeleton label="Alerts" />
  if (list.items.length === 0) return <div className={classes.frame}>{empty}</div>
  return (
    <>
      <ol className={classes.frame} aria-label="Alerts, newest first">
        {list.items.map((alert) => (
          <Line key={alert.id} workspace={workspace} alert={alert} isNew={newIds.has(alert.id)} />
        ))}
      </ol>
      {list.hasMore && (
        <Button variant="default" mx="auto" loading={list.isLoadingMore} onClick={list.loadMore}>
          Load older alerts
        </Button>
      )}
    </>
  )
}

function Line({ workspace, alert, isNew }: { workspace: string; alert: Alert; isNew: boolean }) {
  const { id, message, severity, trigger, source, block, retryError, createdAt } = alert
  return (
    <li className={classes.line} data-new={isNew || undefined}>
      <div className={classes.words}>
        <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }} fw={600}>
          {message.title}
        </LinkText>
        {message.short && (
          <Text size="sm" lineClamp={2} className={classes.short}>
            {message.short}
          </Text>
        )}
        {retryError && <Text size="sm">Last attempt failed: {retryError}</Text>}
        <Text size="xs" c="dimmed" className="mono">
          {[trigger, source, block && `block ${block.number.toLocaleString('en')}`].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={classes.side}>
        {severity !== 'info' && <Status value={severity} />}
        <StateOf workspace={workspace} alert={alert} />
        <Status {...statusOf(alert)} />
        <Text size="sm" c="dimmed" component="span">
          <RelativeTime at={createdAt} />
        </Text>
      </div>
    </li>
  )
}
