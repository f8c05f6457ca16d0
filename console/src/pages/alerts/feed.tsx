import { Button, Text } from '@mantine/core'
import { memo, type ReactNode, useMemo } from 'react'
import { LinkText } from '../../components/links.tsx'
import { RichRows } from '../../components/patterns/rich-row.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { ListError, TableSkeleton } from '../../components/table/table-states.tsx'
import type { List } from '../../data/lists.ts'
import { AddressText } from '../../layouts/address/address-text.tsx'
import { type Source, useSources } from '../../layouts/address/use-sources.ts'
import { AlertRow } from '../../layouts/alert/alert-row.tsx'
import { describeDuration, StateOf } from '../../layouts/alert/alert-state.tsx'
import { type Alert, statusOf } from '../../layouts/alert/alert-status.ts'
import { type Titles, useTitles } from '../../layouts/alert/use-titles.ts'
import classes from './feed.module.css'
import { RowCheckbox, useSelection } from './selection/selection.tsx'
import { SelectionBar } from './selection/selection-bar.tsx'
import { type Story, storiesOf } from './stories.ts'

type FeedProps = {
  workspace: string
  list: List<Alert>
  newIds: ReadonlySet<string>
  /** A filter may hide the alert that resolved a listed one. */
  hasStatusFilter: boolean
  empty: ReactNode
}

export function Feed({ workspace, list, newIds, hasStatusFilter, empty }: FeedProps) {
  const sources = useSources()
  const titles = useTitles(workspace)
  const stories = useMemo(() => storiesOf(list.items), [list.items])
  const { selected, select, selectAll, clear } = useSelection(stories.map(keyOf))
  const isSelected = new Set(selected)
  if (list.error && list.items.length === 0) return <ListError list={list} />
  if (list.isLoading || sources.isLoading) return <TableSkeleton label="Alerts" />
  if (list.items.length === 0 && !list.hasMore) return <div className={classes.frame}>{empty}</div>
  return (
    <>
      <ListError list={list} />
      <div className={classes.frame}>
        {stories.length > 0 && (
          <SelectionBar
            workspace={workspace}
            total={stories.length}
            rows={selected.length}
            alerts={stories.flatMap((story) => (isSelected.has(keyOf(story)) ? alertsOf(story) : []))}
            {...{ selectAll, clear }}
          />
        )}
        <RichRows label="Alerts, newest first">
          {stories.map(({ alert, fired }) => {
            const key = keyOf({ alert, fired })
            return (
              <Line
                key={key}
                {...{ workspace, alert, fired, titles, select }}
                source={sources.find(alert.source)}
                isNew={newIds.has(alert.id)}
                isOpen={!hasStatusFilter}
                isSelected={isSelected.has(key)}
              />
            )
          })}
        </RichRows>
      </div>
      {list.hasMore && (
        <Button variant="default" mx="auto" loading={list.isLoadingMore} onClick={list.loadMore}>
          {list.items.length === 0 ? 'No match among the newest alerts. Search older ones' : 'Load older alerts'}
        </Button>
      )}
    </>
  )
}

/** A row keeps its key, and its selection, when its alert is resolved. */
function keyOf({ alert, fired }: Story): string {
  return (fired ?? alert).id
}

function alertsOf({ alert, fired }: Story): Alert[] {
  return fired ? [fired, alert] : [alert]
}

type LineProps = Story & {
  workspace: string
  titles: Titles
  source: Source | undefined
  isNew: boolean
  isOpen: boolean
  isSelected: boolean
  select: (key: string, isRange: boolean) => void
}

/** Memoised: a selection in a long feed renders only the rows that change. */
const Line = memo(function Line(props: LineProps) {
  const { workspace, alert, fired, titles, source, isNew, isOpen, isSelected, select } = props
  const { message } = alert
  const retryError = alert.retryError ?? fired?.retryError
  return (
    <AlertRow
      lead={
        <RowCheckbox
          label={`Select ${message.title}`}
          isSelected={isSelected}
          select={(isRange) => select(keyOf({ alert, fired }), isRange)}
        />
      }
      workspace={workspace}
      alert={alert}
      titles={titles}
      source={source}
      isNew={isNew}
      state={<State workspace={workspace} alert={alert} fired={fired} isOpen={isOpen} />}
      details={
        <>
          {message.short && (
            <Text size="sm" lineClamp={2} className={classes.short}>
              <AddressText text={message.short} source={source} />
            </Text>
          )}
          {fired && <Step workspace={workspace} alert={fired} name="Fired" />}
          {fired && <Step workspace={workspace} alert={alert} name="Resolved" />}
          {retryError && <div className={classes.retry}>Last attempt failed: {retryError}</div>}
        </>
      }
    />
  )
})

type StateProps = { workspace: string; alert: Alert; fired: Alert | undefined; isOpen: boolean }

/** Severity, state and status. A story shows how long it lasted. */
function State({ workspace, alert, fired, isOpen }: StateProps) {
  return (
    <span className={classes.state}>
      {alert.severity !== 'info' && <Severity value={alert.severity} />}
      {fired ? (
        <Status value="resolved" tone="good" label={`Resolved after ${describeDuration(alert.durationMs ?? 0)}`} />
      ) : (
        <>
          <StateOf workspace={workspace} alert={alert} isOpen={isOpen} />
          <Status {...statusOf(alert)} />
        </>
      )}
    </span>
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
