import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { countWords } from '../../components/numbers/count-words.ts'
import { Status } from '../../components/status.tsx'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { SourceSpark } from '../../layouts/source/source-spark.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { ListCard } from './card.tsx'
import classes from './home.module.css'

type Source = Item<'listRuntimeSources'>
const sourcesMax = 6
const sourcesPollMs = 15_000
const order = ['error', 'lagging', 'running', 'pending', 'stopped']

/** The sources that work or should work, those in trouble first. */
export function SourcesCard({ workspace }: { workspace: string }) {
  const { items, isLoading, error, reload } = useApiList('listRuntimeSources', {}, { pollMs: sourcesPollMs })
  const shown = items
    .filter(({ configured }) => configured)
    .sort(byTrouble)
    .slice(0, sourcesMax)
  return (
    <ListCard title="Sources" workspace={workspace} to="/w/$workspace/sources">
      <ErrorNotice error={error} retry={reload} />
      {shown.length === 0 && !error && (
        <p className={classes.foot}>
          {isLoading ? 'Loading the sources' : 'No source is connected. Create one to follow a chain.'}
        </p>
      )}
      <ul className={classes.sources}>
        {shown.map((source) => (
          <li key={source.fullname}>
            <NetworkGlyph source={source} size={26} />
            <div className={classes.sourceName}>
              <LinkText to="/w/$workspace/sources/$source" params={{ workspace, source: source.fullname }}>
                {source.title}
              </LinkText>
              <SourceStatus source={source} />
            </div>
            {source.status !== 'stopped' && <SourceSpark source={source} />}
            {source.latestBlock !== undefined && (
              <span className={classes.block}>{source.latestBlock.toLocaleString('en')}</span>
            )}
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <p className={classes.foot}>Line: age of the latest block, last hour. Number: latest block.</p>
      )}
    </ListCard>
  )
}

function SourceStatus({ source: { status, lag } }: { source: Source }) {
  if (status === 'lagging')
    return <Status value={status} label={lag === undefined ? 'Behind' : `${countWords(lag, 'block')} behind`} />
  if (status === 'stopped') return <Status value={status} label="Idle: starts when a trigger uses it" />
  return (
    <Status value={status} label={status === 'running' ? 'Live' : status === 'error' ? 'Not working' : 'Starting'} />
  )
}

function byTrouble(a: Source, b: Source): number {
  return order.indexOf(a.status) - order.indexOf(b.status) || a.title.localeCompare(b.title)
}
