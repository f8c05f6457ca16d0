import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useSources } from '../../layouts/address/use-sources.ts'
import { ProjectDescription, ProjectFacts } from '../../layouts/project/project-header.tsx'
import { ProjectMark } from '../../layouts/project/project-mark.tsx'
import { dataSourceOf, TriggerSentence } from '../../layouts/sentence/sentences.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import classes from './public-triggers.module.css'
import { SubscribeButton } from './subscribe-button.tsx'

/** A project as subscribers see it. */
export function MarketplaceProjectPage() {
  const { project } = useParams({ from: '/shell/marketplace/$project' })
  const { data, error, refetch } = useApiQuery('getProject', { fullname: project })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <PageLoading />
  return (
    <Page
      glyph={<ProjectMark project={data} size={44} />}
      title={data.meta.title}
      about={<ProjectFacts project={data} />}
      breadcrumb={<LinkText to="/marketplace">Marketplace</LinkText>}
      actions={
        <>
          <SubscribeButton project={data.fullname} />
          {data.level && (
            <LinkButton
              variant="default"
              to="/w/$workspace/projects/$project"
              params={{ workspace: data.workspace, project: data.fullname }}
            >
              Open in workspace
            </LinkButton>
          )}
        </>
      }
    >
      <Section title="About">
        <ProjectDescription project={data} />
      </Section>
      <PublicTriggers project={data.fullname} />
      <Section>
        <Facts
          facts={[
            ['Published by', data.ownerTitle ?? data.workspace],
            ['Created', <RelativeTime key="since" at={data.createdAt} />],
            ['Changed', <RelativeTime key="change" at={data.updatedAt} />],
          ]}
        />
      </Section>
    </Page>
  )
}

/** The triggers of a project: network, title, what it is for, and its rule as a sentence. */
function PublicTriggers({ project }: { project: string }) {
  const { items, error, isLoading, reload } = useApiList('listTriggers', { query: { project } })
  const sources = useSources()
  return (
    <Section title="Triggers">
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && <Text>This project has no triggers yet.</Text>}
      <ul className={classes.rows} aria-label="Triggers">
        {items.map((trigger) => (
          <li key={trigger.fullname}>
            <NameCell
              fullname={trigger.fullname}
              glyph={<NetworkGlyph source={sources.find(dataSourceOf(trigger))} title={trigger.meta.title} />}
              name={<strong>{trigger.meta.title}</strong>}
              about={
                <>
                  {trigger.meta.description}
                  <TriggerSentence trigger={trigger} isRow />
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
