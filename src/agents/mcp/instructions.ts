/** Tells a model how to run a campaign. */
export const INSTRUCTIONS = `A library of each client's images and videos. Refer to assets by their assetRef; never copy files.
A campaign: list_clients for clients and targets; find_assets for the surface (website, social or gbp); view_assets to look at the best few; check_assets before publishing; set_references to record what a post uses; deliver_assets to upload to a target, then get_deliveries until each is delivered or failed; file_as_posted after posting on a social network.
An asset may be used only on the surfaces it allows. When check_assets returns fixable, deliver rendition "fit". Set references again to change them; without assets they are removed. Every call that changes something can be repeated safely.`;
