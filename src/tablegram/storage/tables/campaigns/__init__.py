"""Tables of campaigns and their recipients, of segments, and of links that are followed."""
