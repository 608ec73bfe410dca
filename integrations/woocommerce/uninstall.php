<?php
declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

global $wpdb;
delete_option( 'tablegram' );
$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}tablegram_outbox" );
$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}tablegram_carts" );
