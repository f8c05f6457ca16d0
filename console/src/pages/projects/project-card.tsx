import { Group, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSameOrigin } from '../../components/picture.tsx'
import { Label } from '../../components/status.tsx'
import { accessLabel, type Project } from '../../layouts/project/access.ts'
import { markOf, ProjectMark } from '../../layouts/project/project-mark.tsx'
import { networkIcon } from '../../layouts/watch/network-icons.ts'
import classes from './project-card.module.css'

type ProjectCardProps = {
  project: Project
  link: Pick<LinkProps, 'to' | 'params'>
  /** A button in the last line of the card. */
  action?: ReactNode
}

/** A project in a list: cover, title, description, tags, number of triggers. */
export function ProjectCard({ project, link, action }: ProjectCardProps) {
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
