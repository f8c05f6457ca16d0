import { Button, Group, Select, Skeleton, Text, TextInput } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { IconSearch } from '../../components/icons.tsx'
import { ListError } from '../../components/table/list-error.tsx'
import type { List } from '../../data/lists.ts'
import type { Project } from '../../layouts/project/access.ts'
import classes from './project-card.module.css'
import { ProjectCard } from './project-card.tsx'
import { TagFilter } from './tag-filter.tsx'

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
