import type { Finding } from '../../../common/diagnosis.dto.js';
import type { OutboundHead } from '../../../outbound/outbound-response.js';
import { plainText } from '../../../outbound/plain-text.js';
import type { ApiError } from '../../api-error.js';

export function noRestApiFinding(): Finding {
  return {
    cause: 'No WordPress REST API was found at this address.',
    fix: 'Enter the address of the home page of a WordPress site. If a plugin turns the REST API off, turn it on.',
  };
}

export function notWordPressFinding(): Finding {
  return {
    cause: 'The REST API at this address does not belong to WordPress (wp/v2 is missing).',
    fix: 'Enter the address of the home page of a WordPress site. If a plugin limits the REST API, allow wp/v2.',
  };
}

export function otherHostFinding(address: string, response: OutboundHead): Finding {
  return {
    cause: `The REST API of the site is at a different address: ${plainText(address, response)}.`,
    fix: 'If that is the right site, create the destination with the address of that host.',
  };
}

export function applicationPasswordsFinding(root: string): Finding {
  const isHttp = root.startsWith('http:');
  return {
    cause: `Application passwords are not available on this site${isHttp ? ', because it uses http' : ''}.`,
    fix: isHttp
      ? 'Switch the site to https; WordPress offers application passwords only there.'
      : 'Update WordPress to 5.6 or newer, and allow application passwords in the security plugin that turns them off.',
  };
}

const BY_CODE = new Map<string, Finding>(
  Object.entries({
    incorrect_password: {
      cause: 'The application password is wrong.',
      fix: 'Create a new application password in the profile of the user and enter it here.',
    },
    invalid_username: {
      cause: 'The site has no user with this user name.',
      fix: 'Enter the user name or email address of a user of the site.',
    },
    invalid_email: {
      cause: 'The site has no user with this email address.',
      fix: 'Enter the user name or email address of a user of the site.',
    },
    application_passwords_disabled: {
      cause: 'Application passwords are turned off on this site.',
      fix: 'Allow application passwords in the security plugin that turns them off.',
    },
    application_passwords_disabled_for_user: {
      cause: 'Application passwords are turned off for this user.',
      fix: 'Allow application passwords for the user, or enter another user.',
    },
  }),
);

/** For a 401 or 403 with credentials. A default WordPress responds in the same way to wrong credentials and to a missing header. */
export function credentialsFinding(status: number, error: ApiError | null): Finding {
  const known = error && BY_CODE.get(error.code);
  if (known) return known;
  if (status === 401 && error) {
    return {
      cause:
        'The user name or application password is wrong, or the web server drops the Authorization header.',
      fix: 'Enter the user name and a new application password. If they are correct, configure the web server to pass the Authorization header to PHP.',
    };
  }
  return {
    cause: `The site rejected the request (status ${status}${error ? `, ${error.code}` : ''}).`,
    fix: 'Allow requests to the REST API in the firewall or security plugin of the site.',
  };
}

export function uploadFinding(isMember: boolean): Finding {
  return isMember
    ? { cause: 'The user is not allowed to upload files.', fix: 'Give the user the role Author or higher.' }
    : {
        cause: 'The user is not a member of this site of the network.',
        fix: 'Add the user to the site with the role Author or higher.',
      };
}
