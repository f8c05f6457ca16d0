import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import type { List } from '../../data/lists.ts'
import { AddressText } from '../../layouts/address/address-text.tsx'
import { type AddressSource, useSources } from '../../layouts/address/use-sources.ts'
import { describeDuration, StateOf } from './alert-state.tsx'
import { type Alert, statusOf } from './alert-status.ts'
import classes from './feed.module.css'
import { type Story, storiesOf } from './stories.ts'

type FeedProps = {
  workspace: string
  list: List<Alert>
  newIds: ReadonlySet<string>
  /** A filter by status may hide the alert that resolved a listed one. */
  hasStatusFilter: boolean
  empty: ReactNode
}

export function Feed({ workspace, list, newIds, hasStatusFilter, empty }: FeedProps) {
  const sources = useSources()
  if (list.error) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading || sources.isLoading) return <TableSkeleton label="Alerts" />
  if (list.items.length === 0) return <div className={classes.frame}>{empty}</div>
  return (
    <>
      <ol className={classes.frame} aria-label="Alerts, newest first">
        {storiesOf(list.items).map((story) => (
          <Line
            key={(story.fired ?? story.alert).id}
            workspace={workspace}
            story={story}
            source={sources.find(story.alert.source)}
            isNew={newIds.has(story.alert.id)}
            isOpen={!hasStatusFilter}
          />
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

type LineProps = {
  workspace: string
  story: Story
  source: AddressSource | undefined
  isNew: boolean
  isOpen: boolean
}

function Line({ workspace, story: { alert, fired }, source, isNew, isOpen }: LineProps) {
  const { id, message, severity, trigger, block } = alert
  const retryError = alert.retryError ?? fired?.retryError
  return (
    <li className={classes.line} data-new={isNew || undefined}>
      <div className={classes.words}>
        <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }} fw={600}>
          <AddressText text={message.title} source={source} isPlain />
        </LinkText>
        {message.short && (
          <Text size="sm" lineClamp={2} className={classes.short}>
            <AddressText text={message.short} source={source} />
          </Text>
        )}
        {fired && <Step workspace={workspace} alert={fired} name="Fired" />}
        {fired && <Step workspace={workspace} alert={alert} name="Resolved" />}
        {retryError && <Text size="sm">Last attempt failed: {retryError}</Text>}
        <Text size="xs" c="dimmed" className="mono">
          {[trigger, alert.source, block && `block ${block.number.toLocaleString('en')}`].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={classes.side}>
        {severity !== 'info' && <Status value={severity} />}
        {fired ? (
          <Status value="resolved" tone="good" label={`Resolved after ${describeDuration(alert.durationMs ?? 0)}`} />
        ) : (
          <Alone workspace={workspace} alert={alert} isOpen={isOpen} />
        )}
      </div>
    </li>
  )
}

type AloneProps = { workspace: string; alert: Alert; isOpen: boolean }

/** The state, status and time of an alert that is not part of a story. */
function Alone({ workspace, alert, isOpen }: AloneProps) {
  return (
    <>
      <StateOf workspace={workspace} alert={alert} isOpen={isOpen} />
      <Status {...statusOf(alert)} />
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime at={alert.createdAt} />
      </Text>
    </>
  )
}

/** One of the two alerts of a story. */
function Step({ workspace, alert, name }: { workspace: string; alert: Alert; name: string }) {
  return (
    <Text size="sm" component="div">
      <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: alert.id }}>
        {name}
      </LinkText>{' '}
      <RelativeTime at={alert.createdAt} /> · <Status {...statusOf(alert)} />
    </Text>
  )
}
