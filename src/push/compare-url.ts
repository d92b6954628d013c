export interface Compared {
  readonly webUrl: string;
  readonly repository: string;
  readonly base: string;
  readonly branch: string;
}

/** Where people open the pull request themselves, with one press of a button. */
export const compareUrl = ({ webUrl, repository, base, branch }: Compared): string =>
  `${webUrl}/${repository}/compare/${part(base)}...${part(branch)}?expand=1`;

/** Brackets would end the link that the address stands in. */
const part = (name: string): string =>
  name
    .split('/')
    .map(each => encodeURIComponent(each).replace(/[()'*!]/g, inHex))
    .join('/');

const inHex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
