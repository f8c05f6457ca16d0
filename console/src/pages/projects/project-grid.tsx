import { Button, Group, Select, Skeleton, Text, TextInput, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { IconSearch } from '../../components/icons.tsx'
import { isSameOrigin } from '../../components/picture.tsx'
import { Label } from '../../components/status.tsx'
import { ListError } from '../../components/table/table-states.tsx'
import type { List } from '../../data/lists.ts'
import { accessLabel, type Project } from '../../layouts/project/access.ts'
import { markOf, ProjectMark } from '../../layouts/project/project-mark.tsx'
import { networkIcon } from '../../layouts/watch/network-icons.ts'
import classes from './project-card.module.css'

type Order = 'title' | 'newest' | 'triggers'
const orders: { value: Order; label: string }[] = [
  { value: 'title', label: 'By title' },
  { value: 'newest', label: 'Newest first' },
  { value: 'triggers', label: 'Most triggers first' },
]
const pageSize = 24

type ProjectGridProps = {
  list: List<Project>
  empty: ReactNode
  linkTo: (project: Project) => Pick<LinkProps, 'to' | 'params'>
  /** A button on each card. */
  actionOf?: (project: Project) => ReactNode
}

/** Projects as cards with a search, their tags, an order and pages. */
export function ProjectGrid({ list, empty, linkTo, actionOf }: ProjectGridProps) {
  const [text, setText] = useState('')
  const [tag, setTag] = useState<string>()
  const [order, setOrder] = useState<Order>('title')
  const [shown, setShown] = useState(pageSize)
  const found = useMemo(() => filterAndSort(list.items, text, tag, order), [list.items, text, tag, order])
  if (list.error && list.items.length === 0) return <ListError list={list} />
  if (list.isLoading) return <GridSkeleton />
  if (list.items.length === 0) return empty
  const more = () => (shown < found.length ? setShown(shown + pageSize) : list.loadMore())
  return (
    <>
      <ListError list={list} />
      <Group gap="xs">
        <TextInput
          flex="1 1 200px"
          maw={340}
          leftSection={<IconSearch size={16} />}
          placeholder="Search projects"
          aria-label="Filter projects"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select
          aria-label="Sort order"
          data={orders}
          value={order}
          onChange={(value) => value && setOrder(value)}
          allowDeselect={false}
          w={190}
        />
      </Group>
      <TagFilter projects={list.items} chosen={tag} onChange={setTag} />
      {found.length === 0 && <Text c="dimmed">No matches.</Text>}
      <div className={classes.grid}>
        {found.slice(0, shown).map((project) => (
          <ProjectCard key={project.fullname} project={project} link={linkTo(project)} action={actionOf?.(project)} />
        ))}
      </div>
      {(shown < found.length || list.hasMore) && (
        <Button variant="default" onClick={more} loading={list.isLoadingMore} mx="auto">
          Show more
        </Button>
      )}
    </>
  )
}

/** The shape of the cards while the list loads. */
function GridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading projects">
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} height={250} radius={12} />
      ))}
    </div>
  )
}

function filterAndSort(projects: Project[], text: string, tag: string | undefined, order: Order): Project[] {
  const wanted = text.trim().toLowerCase()
  const matches = ({ fullname, meta, tags, ownerTitle }: Project) =>
    [fullname, meta.title, meta.shortDescription, meta.description, ownerTitle, ...tags].some((part) =>
      part?.toLowerCase().includes(wanted),
    )
  const compare: Record<Order, (a: Project, b: Project) => number> = {
    title: (a, b) => a.meta.title.localeCompare(b.meta.title),
    newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
    triggers: (a, b) => b.counts.triggers - a.counts.triggers,
  }
  return projects
    .filter((project) => (tag === undefined || project.tags.includes(tag)) && matches(project))
    .sort(compare[order])
}

const shownMax = 12

type TagFilterProps = { projects: Project[]; chosen: string | undefined; onChange: (tag: string | undefined) => void }

/** The tags of the projects with their counts, the most used ones first. A second click on a tag takes it back. */
function TagFilter({ projects, chosen, onChange }: TagFilterProps) {
  const tags = countTags(projects)
  if (tags.length === 0) return null
  return (
    <fieldset className={classes.tags} aria-label="Categories">
      <Tag name="All" count={projects.length} isChosen={chosen === undefined} choose={() => onChange(undefined)} />
      {tags.map(([tag, count]) => (
        <Tag
          key={tag}
          name={tag.charAt(0).toUpperCase() + tag.slice(1)}
          icon={networkIcon(tag)}
          count={count}
          isChosen={chosen === tag}
          choose={() => onChange(chosen === tag ? undefined : tag)}
        />
      ))}
    </fieldset>
  )
}

type TagProps = { name: string; icon?: string | undefined; count: number; isChosen: boolean; choose: () => void }

function Tag({ name, icon, count, isChosen, choose }: TagProps) {
  return (
    <button type="button" className={classes.tag} aria-pressed={isChosen} onClick={choose}>
      {icon !== undefined && <img src={icon} alt="" />}
      {name} <span className={classes.count}>{count}</span>
    </button>
  )
}

function countTags(projects: readonly Pick<Project, 'tags'>[]): [tag: string, count: number][] {
  const counts = new Map<string, number>()
  for (const tag of projects.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b)).slice(0, shownMax)
}

type ProjectCardProps = {
  project: Project
  link: Pick<LinkProps, 'to' | 'params'>
  /** A button in the last line of the card. */
  action?: ReactNode
}

/** A project in a list: cover, title, description, tags, number of triggers. */
function ProjectCard({ project, link, action }: ProjectCardProps) {
  const { meta, counts, workspace, ownerTitle } = project
  return (
    <article className={classes.card} aria-label={meta.title}>
      <Cover project={project} />
      <div className={classes.body}>
        <Title order={2} size="h4">
          <Link {...link} className={classes.link}>
            {meta.title}
          </Link>
        </Title>
        <Text size="sm" c="dimmed">
          {ownerTitle ?? workspace}
        </Text>
        <Text size="sm" lineClamp={2} mt={8}>
          {meta.shortDescription || meta.description || 'No description yet.'}
        </Text>
        <Group gap="xs" mt="auto" pt="sm" justify="space-between">
          <Group gap="xs">
            {!action && <Label>{accessLabel(project)}</Label>}
            <Text size="sm" c="dimmed">
              {counts.triggers} {counts.triggers === 1 ? 'trigger' : 'triggers'}
            </Text>
          </Group>
          {action && <span className={classes.action}>{action}</span>}
        </Group>
      </div>
    </article>
  )
}

/** The uploaded cover, else a drawing of the project's mark and its networks. */
function Cover({ project }: { project: Project }) {
  const { meta, tags } = project
  const mark = markOf(project)
  const networks = tags.flatMap((tag) => networkIcon(tag) ?? [])
  const isUploaded = isSameOrigin(meta.cover)
  return (
    <div className={classes.cover} data-drawn={!isUploaded || undefined}>
      {isUploaded && <img className={classes.picture} src={meta.cover} alt="" loading="lazy" />}
      {!isUploaded && isSameOrigin(mark) && <img className={classes.shape} src={mark} alt="" loading="lazy" />}
      <span className={classes.icon}>
        <ProjectMark project={project} size={44} />
      </span>
      <span className={classes.networks}>
        {networks.map((icon) => (
          <img key={icon} src={icon} alt="" loading="lazy" />
        ))}
      </span>
    </div>
  )
}
