import { ALNUM, ANY_HEX, family, HEX, URL_SAFE } from './token-formats.js';

/** Code hosting, package registries and build services. */
export const forges = [
  family('github-token', 'a GitHub token', [
    { prefix: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: `${ALNUM}{36}` },
    { prefix: 'github_pat_', body: '[A-Za-z0-9_]{82}' },
  ]),
  family('gitlab-token', 'a GitLab token', [
    {
      prefix: ['glpat-', 'glrt-'],
      body: `${URL_SAFE}{27,120}\\.[0-9a-z]{9}`,
      entropy: 3,
    },
    {
      prefix: ['glpat-', 'gldt-', 'glffct-', 'glft-', 'glrt-', 'glsoat-', 'GR1348941'],
      body: `${URL_SAFE}{20}`,
    },
    { prefix: 'glcbt-', body: `${ALNUM}{1,5}_${URL_SAFE}{20}` },
    { prefix: 'glimt-', body: `${URL_SAFE}{25}` },
    { prefix: 'glptt-', body: `${HEX}{40}` },
    { prefix: 'glagent-', body: `${URL_SAFE}{50}` },
    { prefix: 'gloas-', body: `${URL_SAFE}{64}` },
    { prefix: '_gitlab_session=', lead: '', body: '[0-9a-z]{32}' },
  ]),
  family('bitbucket-password', 'a Bitbucket app password', [
    { prefix: 'ATBB', body: `${ALNUM}{32}`, entropy: 3.5 },
  ]),
  family('atlassian-token', 'an Atlassian API token', [
    { prefix: ['ATATT3', 'ATCTT3'], body: '[A-Za-z0-9_=-]{180,190}', entropy: 3.5 },
  ]),
  family('sourcegraph-token', 'a Sourcegraph token', [
    {
      prefix: 'sgp_',
      body: `(?:(?:local|${ANY_HEX}{16})_)?${ANY_HEX}{40}`,
      entropy: 3,
    },
  ]),
  family('npm-token', 'an npm token', [{ prefix: 'npm_', body: `${ALNUM}{36}` }]),
  family('pypi-token', 'a PyPI token', [
    // The text after the prefix is the start of a macaroon for pypi.org, in base64.
    { prefix: 'pypi-', body: `AgEIcHlwaS5vcmc${URL_SAFE}{50}`, tail: URL_SAFE, entropy: 3 },
  ]),
  family('rubygems-key', 'a RubyGems API key', [{ prefix: 'rubygems_', body: `${HEX}{48}` }]),
  family('nuget-key', 'a NuGet API key', [
    { prefix: 'oy2', body: '[a-z0-9]{43}', mustStandAlone: true, entropy: 3 },
  ]),
  family('crates-token', 'a crates.io token', [
    { prefix: 'cio', body: `${ALNUM}{32}`, mustStandAlone: true, entropy: 3.5 },
  ]),
  family('clojars-token', 'a Clojars token', [
    { prefix: 'CLOJARS_', body: '[a-z0-9]{60}', isAnyCase: true },
  ]),
  family('docker-token', 'a Docker Hub token', [
    { prefix: ['dckr_pat_', 'dckr_oat_'], body: `${URL_SAFE}{27,40}`, entropy: 3 },
  ]),
  family('artifactory-token', 'an Artifactory token', [
    { prefix: 'AKCp', body: `${ALNUM}{69}`, entropy: 3.5 },
    // The prefix is the base64 of "reft".
    { prefix: 'cmVmd', body: `${ALNUM}{59}`, entropy: 3.5 },
  ]),
  family('sonar-token', 'a SonarQube token', [
    { prefix: ['squ_', 'sqp_', 'sqa_'], body: '[A-Za-z0-9]{40}' },
  ]),
  family('circleci-token', 'a CircleCI token', [
    { prefix: ['CCIPAT_', 'CCIPRJ_'], body: `${ALNUM}{22}_${HEX}{40}` },
  ]),
  family('buildkite-token', 'a Buildkite token', [
    { prefix: ['bkua_', 'bkaj_'], body: `${ANY_HEX}{40}` },
  ]),
  family('readme-key', 'a ReadMe API key', [{ prefix: 'rdme_', body: '[a-z0-9]{70}', entropy: 3 }]),
  family('linear-key', 'a Linear API key', [
    { prefix: ['lin_api_', 'lin_oauth_'], body: `${ALNUM}{40,64}` },
  ]),
];
